-- Orders, what happened to each, and the payments that are under way outside.

-- in live, test

-- What never changes of an order, and beside it its three states as the last of its events left them.
create table orders_orders (
  id                int8 generated always as identity primary key,
  checkout_id       uuid not null,
  client_id         int8,
  session_id        text,
  partner_id        int8 not null,
  payment_method_id int4 not null,
  delivery_address  text not null,
  amount_tiyin      int8 not null check (amount_tiyin > 0),
  day               date not null,
  status            text not null,
  payment_status    text not null,
  fulfilment_status text not null,
  version           int8 not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint orders_orders_buyer check ((client_id is null) <> (session_id is null))
) with (fillfactor = 80);
create index on orders_orders (client_id, id) where client_id is not null;
create index on orders_orders (session_id, id) where session_id is not null;
create index on orders_orders (partner_id, id);
create index on orders_orders (created_at, id);
create index on orders_orders (status, id);
create index on orders_orders (payment_status, id);
create index on orders_orders (fulfilment_status, id);

create table orders_lines (
  order_id          int8 not null references orders_orders,
  number            int4 not null,
  is_moderated      bool not null,
  offer_id          int8 not null,
  product_id        int8 not null,
  name              json not null,
  quantity          int4 not null check (quantity > 0),
  price_tiyin       int8 not null check (price_tiyin > 0),
  loan_condition_id int8,
  loan_duration     int4,
  loan_commission   int4,
  prepayment_tiyin  int8 not null default 0,
  primary key (order_id, number)
);

-- All that happened to an order. Rows are added and never changed; every state is told by them.
create table orders_events (
  order_id int8 not null references orders_orders,
  number   int4 not null,
  type     text not null,
  data     json not null,
  at       timestamptz not null,
  primary key (order_id, number)
);

-- Which order a payment belongs to, for acquirers who know only the payment.
create table orders_payments (
  id       uuid primary key,
  order_id int8 not null references orders_orders,
  acquirer text not null
);

-- What is to be asked of an acquirer. It is asked after the commit that wrote the row, and again until it has answered.
create table orders_payment_tasks (
  id           uuid primary key,
  order_id     int8 not null references orders_orders,
  payment_id   uuid not null references orders_payments,
  kind         text not null check (kind in ('authorise', 'capture', 'void', 'refund')),
  refund_id    uuid,
  amount_tiyin int8 not null,
  attempts     int4 not null default 0,
  next_at      timestamptz not null,
  done_at      timestamptz
);
create index on orders_payment_tasks (next_at) where done_at is null;
create index on orders_payment_tasks (done_at) where done_at is not null;

-- What acquirers have told; each is heard once.
create table orders_callbacks (
  acquirer    text not null,
  callback_id text not null,
  received_at timestamptz not null,
  primary key (acquirer, callback_id)
);
create index on orders_callbacks (received_at);

-- The books of the test acquirer, which stands for a bank that is elsewhere.
create table orders_test_charges (
  payment_id     uuid primary key,
  behaviour      text not null,
  status         text not null,
  amount_tiyin   int8 not null,
  refunded_tiyin int8 not null default 0 check (refunded_tiyin <= amount_tiyin),
  captures       bool not null,
  created_at     timestamptz not null
);

create table orders_test_refunds (
  id           uuid primary key,
  payment_id   uuid not null references orders_test_charges,
  amount_tiyin int8 not null
);

create table orders_test_callbacks (
  id          int8 generated always as identity primary key,
  callback_id uuid not null,
  payment_id  uuid not null references orders_test_charges,
  status      text not null,
  code        text,
  due_at      timestamptz not null
);
create index on orders_test_callbacks (due_at);
