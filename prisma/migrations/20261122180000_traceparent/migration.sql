-- Of the request that created the message; deliveries carry it on.
ALTER TABLE "scheduled_messages" ADD COLUMN "traceparent" TEXT;
