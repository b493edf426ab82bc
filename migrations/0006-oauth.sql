-- What OAuth gives out: grants of buyers to applications, the tokens that follow from them, and requests under way.
-- Only hashes of what is given out are kept.

-- in live, test

create table identity_grants (
  id         text primary key,
  client_id  text not null,
  buyer_id   int8 not null,
  scopes     text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index on identity_grants (created_at);
create index on identity_grants (buyer_id, client_id);

create table identity_tokens (
  hash        bytea primary key,
  kind        text not null check (kind in ('code', 'access', 'refresh')),
  client_id   text not null,
  grant_id    text references identity_grants on delete cascade,
  parent      bytea,
  scopes      text[] not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  consumed_at timestamptz,
  revoked_at  timestamptz,
  rest        json not null
);
create index on identity_tokens (expires_at);
create index on identity_tokens (grant_id) where grant_id is not null;

create table identity_interactions (
  hash       bytea primary key,
  contents   json not null,
  expires_at timestamptz not null
);
create index on identity_interactions (expires_at);

create table identity_consents (
  client_id  text not null,
  buyer_id   int8 not null,
  scopes     text[] not null,
  updated_at timestamptz not null,
  primary key (client_id, buyer_id)
);
create index on identity_consents (buyer_id);
