/** The bundler resolves the import to the file's URL. */
declare module "*.woff2" {
  const address: string;
  export default address;
}
