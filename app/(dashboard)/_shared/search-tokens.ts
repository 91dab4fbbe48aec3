/** Divides a search into `method:POST` or `label:"to do"` for the given names, and the rest as `text`. */
export function searchTokens<Name extends string>(
  typed: string | undefined,
  names: readonly Name[],
): Partial<Record<Name | "text", string>> {
  const found: Partial<Record<string, string>> = {};
  const token = new RegExp(`(?<!\\S)(${names.join("|")}):(?:"([^"]*)"|(\\S+))`, "giu");
  const text = (typed ?? "").replace(token, (_, name: string, quoted?: string, bare?: string) => {
    found[name.toLowerCase()] = quoted ?? bare ?? "";
    return "";
  });
  const rest = Object.keys(found).length === 0 ? typed : text.replace(/\s+/g, " ").trim();
  return { ...found, ...(rest && { text: rest }) } as Partial<Record<Name | "text", string>>;
}
