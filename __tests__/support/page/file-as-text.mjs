/** What the page sends to browsers is a file in lib, and a string where it is imported. */
export default {
  process: (text) => ({ code: `exports.__esModule = true;\nexports.default = ${JSON.stringify(text)};` }),
};
