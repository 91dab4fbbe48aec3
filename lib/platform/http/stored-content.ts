/**
 * The paths below a resource's page that serve what somebody sent or wrote, with headers of their
 * own, such as `/artifacts/{id}/raw`. A regular expression for the part after the first slash.
 */
export const STORED_CONTENT =
  "(?:a|artifacts|webhooks|inboxes|messages)/[^/]+/(?:[^/]+/)*(?:raw|view|body|reply|preview)$";
