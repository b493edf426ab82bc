-- The client that a stored reply is about, so that an erasure finds it. No index: erasures are rare, replies are kept for
-- a day, and every write with a key would pay for one.

-- in live, test

alter table idempotency_records add column client_id int8;
