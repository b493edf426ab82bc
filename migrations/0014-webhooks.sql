-- Who outside is told of events, what was sent to whom and how that went, and how far the message bus has come.

-- in live, test

-- Events are found by their ids, which grow with time: the index grows at one end.
create unique index outbox_events_event_id on outbox_events (event_id);

-- Whoever adds to the line of an endpoint, or takes from it, holds its row: so the count is right and nobody is left
-- waiting behind a delivery that has just ended.
create table webhooks_endpoints (
  id              uuid primary key,
  url             text not null,
  description     text not null,
  filters         text[] not null,
  state           text not null check (state in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  position        int8 not null,
  waiting         int4 not null default 0,
  failures        int4 not null default 0,
  failing_since   timestamptz,
  version         int8 not null default 1,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
) with (fillfactor = 70);

create table webhooks_secrets (
  id          uuid primary key,
  endpoint_id uuid not null references webhooks_endpoints on delete cascade,
  sealed      bytea not null,
  created_at  timestamptz not null,
  ends_at     timestamptz
);
create index on webhooks_secrets (endpoint_id);

-- One event on its way to one endpoint. Of one subject only the first in line has an instant to be sent at.
create table webhooks_deliveries (
  id           int8 generated always as identity primary key,
  endpoint_id  uuid not null references webhooks_endpoints on delete cascade,
  event_id     uuid not null,
  sequence     int8 not null,
  type         text not null,
  subject      text not null,
  status       text not null default 'waiting' check (status in ('waiting', 'succeeded', 'failed', 'cancelled')),
  attempts     int4 not null default 0,
  next_at      timestamptz,
  lease        uuid,
  leased_until timestamptz,
  created_at   timestamptz not null,
  ended_at     timestamptz
) with (fillfactor = 70);
create index webhooks_deliveries_due on webhooks_deliveries (endpoint_id, next_at, id) where next_at is not null;
create index webhooks_deliveries_line on webhooks_deliveries (endpoint_id, subject, id) where status = 'waiting';
create index webhooks_deliveries_log on webhooks_deliveries (endpoint_id, id);

create table webhooks_attempts (
  delivery_id  int8 not null references webhooks_deliveries on delete cascade,
  number       int4 not null,
  at           timestamptz not null,
  milliseconds int4 not null,
  url          text not null,
  headers      json not null,
  status       int4,
  reply        json,
  error        text,
  primary key (delivery_id, number)
);

-- How far the message bus has been told, and which process is telling it.
create table webhooks_bus (
  single       bool primary key default true check (single),
  position     int8 not null,
  lease        uuid,
  leased_until timestamptz
);
