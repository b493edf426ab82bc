-- Carts and what is in them, what an operator allows buyers, what clients have bought, and what outsiders have told.

-- in live, test

-- One cart a buyer. Its row is the lock under which every call of that buyer works. Neither instant is indexed, so that a
-- change of a cart touches no index; clean-up walks along the ids, which grow with time.
create table cart_carts (
  id         uuid primary key,
  client_id  int8,
  session_id text,
  version    int8 not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz,
  constraint cart_carts_client unique (client_id),
  constraint cart_carts_session unique (session_id),
  constraint cart_carts_buyer check ((client_id is null) <> (session_id is null)),
  constraint cart_carts_expiry check ((session_id is null) = (expires_at is null))
) with (fillfactor = 80);

-- Ordinary and moderated offers have ids of their own, so the same number may stand for two things.
create table cart_items (
  cart_id            uuid not null references cart_carts on delete cascade,
  is_moderated       bool not null,
  offer_id           int8 not null,
  quantity           int4 not null check (quantity between 1 and 9999),
  loan_condition_id  int8,
  price_at_add_tiyin int8 not null,
  added_at           timestamptz not null,
  updated_at         timestamptz not null,
  reserved_until     timestamptz,
  primary key (cart_id, is_moderated, offer_id)
) with (fillfactor = 80);
create index cart_items_reserved on cart_items (offer_id, is_moderated) where reserved_until is not null;

-- Whoever reserves units of an offer, or takes units that others might have reserved, locks its row here first.
create table cart_reserved_offers (
  offer_id     int8 not null,
  is_moderated bool not null,
  primary key (offer_id, is_moderated)
);

create table cart_limits (
  single                    bool primary key default true check (single),
  daily_amount_tiyin        int8 not null,
  product_units_per_order   int4 not null,
  product_units_per_30_days int4 not null,
  credit_tiyin              int8 not null,
  guest_units_per_product   int4 not null,
  guest_amount_tiyin        int8 not null,
  guest_authorization_tiyin int8 not null,
  version                   int8 not null default 1,
  updated_at                timestamptz not null
);
insert into cart_limits values (true, 5000000000, 10, 30, 3000000000, 3, 500000000, 200000000, 1, '2026-01-01');

-- What clients have bought, by business day and product; ordering adds to it and a cancelled order takes it back.
create table cart_purchases (
  client_id    int8 not null,
  day          date not null,
  product_id   int8 not null,
  units        int4 not null check (units >= 0),
  amount_tiyin int8 not null check (amount_tiyin >= 0),
  primary key (client_id, day, product_id)
) with (fillfactor = 80);

create table cart_credits (
  client_id         int8 primary key,
  outstanding_tiyin int8 not null check (outstanding_tiyin >= 0)
) with (fillfactor = 80);

-- Events of outside producers: each is taken once, and what is older than the last word on its subject is passed over.
create table cart_incoming_events (
  source      text not null,
  event_id    text not null,
  received_at timestamptz not null,
  primary key (source, event_id)
);
create index on cart_incoming_events (received_at);

create table cart_last_words (
  source   text not null,
  subject  text not null,
  sequence int8,
  at       timestamptz not null,
  primary key (source, subject)
);
