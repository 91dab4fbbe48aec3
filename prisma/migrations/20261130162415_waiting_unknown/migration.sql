-- What waited while no server ran is not known, although what was captured before it stopped is.
ALTER TABLE "organization_hours" ALTER COLUMN "waiting" DROP NOT NULL;
