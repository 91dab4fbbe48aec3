-- AlterTable
ALTER TABLE "api_keys" ALTER COLUMN "digest" DROP NOT NULL;

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT,
    "redirect_uris" TEXT[],
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "last_used_at" BIGINT,

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_codes" (
    "digest" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,
    "grant_id" TEXT COLLATE "C",

    CONSTRAINT "oauth_codes_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "oauth_grants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_host" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "family_digest" TEXT NOT NULL,
    "token_digest" TEXT NOT NULL,

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_access_tokens" (
    "digest" TEXT NOT NULL,
    "grant_id" TEXT COLLATE "C" NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "oauth_access_tokens_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "oauth_clients_last_used_at_created_at_idx" ON "oauth_clients"("last_used_at", "created_at");

-- CreateIndex
CREATE INDEX "oauth_codes_expires_at_idx" ON "oauth_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_grants_family_digest_key" ON "oauth_grants"("family_digest");

-- CreateIndex
CREATE INDEX "oauth_grants_user_id_idx" ON "oauth_grants"("user_id");

-- CreateIndex
CREATE INDEX "oauth_access_tokens_grant_id_idx" ON "oauth_access_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_access_tokens_expires_at_idx" ON "oauth_access_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_id_fkey" FOREIGN KEY ("id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_access_tokens" ADD CONSTRAINT "oauth_access_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A grant ends when the person who made it leaves the organization, in whatever way. The revocation is
-- announced as every other is.
CREATE FUNCTION revoke_grants_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET revoked_at = unix_now() FROM oauth_grants
  WHERE oauth_grants.id = api_keys.id AND oauth_grants.user_id = OLD.user_id
    AND api_keys.organization_id = OLD.organization_id AND api_keys.revoked_at IS NULL;
  RETURN NULL;
END
$$;

CREATE TRIGGER revoke_grants AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION revoke_grants_of_member();
