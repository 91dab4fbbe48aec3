-- A session is a person's, or lives as long as the API key that it was opened with.

-- AlterTable
ALTER TABLE "sessions" ALTER COLUMN "user_id" DROP NOT NULL,
ADD COLUMN     "key_id" TEXT COLLATE "C",
ADD COLUMN     "organization_id" TEXT COLLATE "C";

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_one_owner" CHECK (num_nonnulls("user_id", "key_id") = 1);

-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "invited_by_user_id" TEXT COLLATE "C",
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sessions_key_id_idx" ON "sessions"("key_id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_organization_id_email_key" ON "invitations"("organization_id", "email");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_user_id_fkey" FOREIGN KEY ("invited_by_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
