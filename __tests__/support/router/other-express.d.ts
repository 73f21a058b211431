/** The major of Express that a jest project does not test with: see jest.config.mjs. */
declare module 'other-express' {
  export { default } from 'express';
}
