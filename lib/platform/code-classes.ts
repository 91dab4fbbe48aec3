/** The CSS class, or the highlight, of each kind of token of sugar-high; others have no colour. */
export const CODE_CLASSES: Record<string, string> = {
  comment: "code-comment",
  string: "code-string",
  keyword: "code-keyword",
  property: "code-name",
  entity: "code-name",
  class: "code-number",
};
