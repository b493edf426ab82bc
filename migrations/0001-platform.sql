-- Applications and their keys stand once, beside both environments. Only hashes of secrets are kept.

-- in platform

create table identity_applications (
  client_id    text primary key,
  environment  text not null check (environment in ('live', 'test')),
  name         text not null,
  type         text not null check (type in ('web', 'mobile', 'server')),
  scopes       text[] not null,
  redirect_urls text[] not null default '{}',
  rate_limit   text,
  secret_hash  bytea,
  version      int8 not null default 1,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  deleted_at   timestamptz
);
create index on identity_applications (environment, created_at, client_id);

create table identity_keys (
  id           text primary key,
  client_id    text not null references identity_applications,
  hash         bytea not null unique,
  hint         text not null,
  name         text not null,
  scopes       text[] not null,
  rate_limit   text,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  replaces     text references identity_keys
);
create index on identity_keys (client_id, created_at, id);
