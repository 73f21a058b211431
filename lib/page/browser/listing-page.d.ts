/** The script of the page, which the build puts into the package as a string. */
declare const text: string;
export default text;
