-- What every environment stands on: the outbox, the jobs, remembered replies and the movable clock.

-- in live, test

create table outbox_events (
  sequence    int8 generated always as identity primary key,
  event_id    uuid not null,
  type        text not null,
  subject     text not null,
  fields      json not null,
  occurred_at timestamptz not null,
  position    int8 unique
);
create index outbox_events_waiting on outbox_events (sequence) where position is null;

create table outbox_relay (
  single   bool primary key default true check (single),
  position int8 not null default 0
);
insert into outbox_relay default values;

create table outbox_inbox (
  reaction text not null,
  event_id uuid not null,
  at       timestamptz not null,
  primary key (reaction, event_id)
);
create index on outbox_inbox (at);

create table outbox_failures (
  reaction text not null,
  sequence int8 not null references outbox_events on delete cascade,
  attempts int4 not null,
  retry_at timestamptz not null,
  dead_at  timestamptz,
  error    text not null,
  primary key (reaction, sequence)
);
create index on outbox_failures (retry_at) where dead_at is null;

create table job_leases (
  name         text primary key,
  token        int8 not null default 0,
  holder       text,
  leased_until timestamptz,
  last_due_at  timestamptz not null
);

create table job_runs (
  id          int8 generated always as identity primary key,
  name        text not null,
  due_at      timestamptz not null,
  started_at  timestamptz not null,
  finished_at timestamptz,
  outcome     text not null,
  note        text not null
);
create index on job_runs (name, id);

create table clock_offset (
  single    bool primary key default true check (single),
  offset_ms int8 not null default 0
);
insert into clock_offset default values;

create table idempotency_records (
  principal   text not null,
  key         text not null,
  fingerprint bytea not null,
  created_at  timestamptz not null,
  status      int4,
  headers     json,
  body        text,
  primary key (principal, key)
) with (fillfactor = 70);
create index on idempotency_records (created_at);
