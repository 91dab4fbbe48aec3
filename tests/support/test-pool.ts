import { Pool } from "pg";

/**
 * A pool of connections for a test's own statements, which may take longer than the service's: a test
 * fills tables that the service fills row by row, and holds locks while it looks.
 */
export function testPool(url: string, max = 10): Pool {
  return new Pool({
    connectionString: url,
    max,
    options: "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0",
  });
}
