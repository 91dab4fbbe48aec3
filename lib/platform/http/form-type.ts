/** A form's `Content-Type` as browsers send it, and its boundary. Parsers disagree about other spellings. */
export const FORM_TYPE = /^multipart\/form-data; boundary=([\w-]{1,70})$/;
