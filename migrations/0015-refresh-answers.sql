-- The answer to a refresh, for those who asked at the same time. It is sealed with the refresh token that it was given
-- for, of which only the hash is kept: what stands here opens nothing.

-- in live, test

alter table identity_tokens add column answer bytea;
alter table identity_tokens add column answered_at timestamptz;
alter table identity_tokens add column asked_again_at timestamptz;
create index on identity_tokens (consumed_at) where answer is not null;
