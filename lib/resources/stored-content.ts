import { kinds } from "./kinds";

const FOLDERS = ["a", ...kinds.map(({ name }) => name)].join("|");

/**
 * The paths below a resource's page that serve what somebody sent or wrote, with headers of their
 * own, such as `/artifacts/{id}/raw`. A regular expression for the part after the first slash.
 */
export const STORED_CONTENT = `(?:${FOLDERS})/[^/]+/(?:[^/]+/)*(?:raw|view|body|reply|preview)$`;
