-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "role" TEXT NOT NULL DEFAULT 'member';

-- CreateTable
CREATE TABLE "deleted_organizations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "deleted_at" BIGINT NOT NULL DEFAULT unix_now(),
    "due_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "deleted_organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_settings" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "kinds" TEXT[],
    "due_at" BIGINT,
    "reported_until" BIGINT NOT NULL DEFAULT unix_now(),
    "full_inboxes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "last_sent_at" BIGINT,

    CONSTRAINT "notice_settings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notice_settings_due_at_idx" ON "notice_settings"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "notice_settings_organization_id_user_id_key" ON "notice_settings"("organization_id", "user_id");

-- AddForeignKey
ALTER TABLE "notice_settings" ADD CONSTRAINT "notice_settings_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A transaction that began before an organization was deleted may add a member or a key to it. At its
-- commit, the member is removed and the key revoked.
CREATE FUNCTION leave_deleted_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deleted_organizations WHERE id = NEW.organization_id) THEN
    DELETE FROM members WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER leave_deleted AFTER INSERT ON members DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION leave_deleted_organization();

CREATE FUNCTION revoke_in_deleted_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deleted_organizations WHERE id = NEW.organization_id) THEN
    UPDATE api_keys SET revoked_at = unix_now() WHERE id = NEW.id AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER revoke_in_deleted AFTER INSERT ON api_keys DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION revoke_in_deleted_organization();
