/** What the operations of public documents share, such as that of `/llms.txt`. */
export const publicDocument = {
  inPartOnly: true,
  auth: "ignored",
  anyQuery: true,
} as const;
