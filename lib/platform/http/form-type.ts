/** The `Content-Type` of a page's form, as browsers send it, and its boundary. Parsers differ about what else they take. */
export const FORM_TYPE = /^multipart\/form-data; boundary=([\w-]{1,70})$/;
