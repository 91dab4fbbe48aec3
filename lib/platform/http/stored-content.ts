/**
 * The paths below a resource's page that respond with what somebody sent or wrote, such as
 * `/artifacts/{id}/raw`, and with headers of their own. For a regular expression, after the first slash.
 */
export const STORED_CONTENT =
  "(?:a|artifacts|webhooks|inboxes|messages)/[^/]+/(?:[^/]+/)*(?:raw|view|body|reply|preview)$";
