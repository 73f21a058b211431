/** A file that the build puts into the package as a string. */
declare module '*.css' {
  const text: string;
  export default text;
}
