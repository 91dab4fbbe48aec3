/** What the operations of public documents share, such as that of `/llms.txt`. */
export const publicDocument = {
  method: "GET",
  tag: "Discovery",
  inPartOnly: true,
  auth: "ignored",
  anyQuery: true,
} as const;
