-- Mandates: what an application may order for a client, and the confirmations that a client gave for single orders.

-- in live, test

create table orders_mandates (
  id                 uuid primary key,
  client_id          int8 not null,
  application_id     text not null,
  name               text,
  budget_tiyin       int8 not null check (budget_tiyin > 0),
  spent_tiyin        int8 not null default 0 check (spent_tiyin >= 0),
  category_ids       int8[] not null,
  needs_confirmation bool not null,
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  revoked_at         timestamptz
);
create index on orders_mandates (client_id, application_id);
create index on orders_mandates (application_id, id);

create table orders_mandate_confirmations (
  id           uuid primary key,
  mandate_id   uuid not null references orders_mandates on delete cascade,
  cart_version int8 not null,
  total_tiyin  int8 not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  checkout_id  uuid
);
create index on orders_mandate_confirmations (mandate_id, cart_version);

-- Null for orders that no mandate covers.
alter table orders_orders add column mandate_id uuid;
