/** The maximum number of messages that one form retries or stops. */
export const RETRIED_MAX = 1000;
