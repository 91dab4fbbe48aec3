-- The link of a deleted artifact is kept for a while from the deletion on, so that it can say so. Its time of creation is
-- no longer shown, so it holds that of the deletion, and the index of such links has it.
CREATE FUNCTION note_deletion_of_shared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := unix_now();
  RETURN NEW;
END $$;

CREATE TRIGGER note_deletion BEFORE UPDATE OF artifact_id ON artifact_shares
  FOR EACH ROW WHEN (OLD.artifact_id IS NOT NULL AND NEW.artifact_id IS NULL)
  EXECUTE FUNCTION note_deletion_of_shared();
