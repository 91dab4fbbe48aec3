const ID = "[^/]+";
const PATHS = [
  `a/${ID}/(?:raw|view)`,
  `artifacts/${ID}/(?:versions/${ID}/)?(?:raw|view)`,
  `inboxes/${ID}/events/${ID}/(?:body|reply)(?:/preview)?`,
  `messages/${ID}/body(?:/preview)?`,
  `questions/${ID}/${ID}/${ID}/view`,
  `webhooks/${ID}/events/${ID}/body(?:/preview)?`,
];

/**
 * The paths below a resource's page that serve what somebody sent or wrote, with headers of their
 * own, such as `/artifacts/{id}/raw`. A regular expression for the part after the first slash, with
 * or without a slash at the end, as Next routes both.
 */
export const STORED_CONTENT = `(?:${PATHS.join("|")})/?$`;
