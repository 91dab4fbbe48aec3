-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "network" TEXT;
