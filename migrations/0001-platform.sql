-- Applications, their keys and secrets, and the people who run the shop stand once, beside both environments. Only
-- hashes of keys, secrets, passwords, links and session values are kept.

-- in platform

create table identity_applications (
  client_id    text primary key,
  environment  text not null check (environment in ('live', 'test')),
  name         text not null,
  type         text not null check (type in ('web', 'mobile', 'server')),
  scopes       text[] not null,
  redirect_urls text[] not null default '{}',
  rate_limit   text,
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

-- An application may have several secrets for a while, so that a change of secrets stops nobody.
create table identity_client_secrets (
  id         text primary key,
  client_id  text not null references identity_applications,
  hash       bytea not null unique,
  hint       text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on identity_client_secrets (client_id, created_at, id);

create table identity_members (
  id            text primary key,
  email         text not null,
  name          text not null,
  role          text not null check (role in ('owner', 'developer', 'operator', 'analyst')),
  state         text not null check (state in ('active', 'deactivated')),
  password_hash text not null,
  version       int8 not null default 1,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  last_seen_at  timestamptz
);
create unique index identity_members_email on identity_members (lower(email));
create index on identity_members (created_at, id);

create table identity_invitations (
  id          text primary key,
  email       text not null,
  role        text not null check (role in ('owner', 'developer', 'operator', 'analyst')),
  hash        bytea not null unique,
  invited_by  text references identity_members,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  accepted_at timestamptz,
  revoked_at  timestamptz
);
create unique index identity_invitations_open on identity_invitations (lower(email))
  where accepted_at is null and revoked_at is null;
create index on identity_invitations (created_at, id);

create table identity_member_sessions (
  id           text primary key,
  member_id    text not null references identity_members,
  hash         bytea not null unique,
  environment  text not null check (environment in ('live', 'test')),
  user_agent   text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  ends_at      timestamptz not null,
  ended_at     timestamptz
);
create index on identity_member_sessions (member_id, created_at);
create index on identity_member_sessions (ends_at);
