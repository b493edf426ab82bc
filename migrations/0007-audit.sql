-- What was changed and by whom, and how much each key is used: once in each environment.

-- in live, test

create table identity_audit (
  id         text primary key,
  at         timestamptz not null,
  actor_kind text not null check (actor_kind in ('member', 'application', 'client', 'machine', 'nobody')),
  actor_id   text,
  actor_name text,
  credential text,
  method     text not null,
  path       text not null,
  request_id text,
  status     int8,
  subject    text,
  facts      text[] not null default '{}'
);
create index on identity_audit (at, id);
create index on identity_audit (actor_id, at);
create index on identity_audit (subject, at);

create table identity_key_usage (
  client_id text not null,
  key_id    text not null,
  day       date not null,
  calls     int8 not null,
  refused   int8 not null,
  primary key (client_id, key_id, day)
);
create index on identity_key_usage (day);
