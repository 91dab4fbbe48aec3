-- The deletion of an account renames the organizations that have its address as their name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS organizations_address_idx ON organizations (name) WHERE name LIKE '%@%';
