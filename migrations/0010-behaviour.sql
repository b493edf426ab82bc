-- What buyers did: looked, clicked, wished, put into the cart, bought. One row for one deed; told twice, it is one.

-- in live, test

create table recommendations_interactions (
  buyer      text not null,
  at         timestamptz not null,
  offer      text not null,
  kind       text not null check (kind in ('view', 'click', 'wishlist', 'cart', 'purchase')),
  request_id uuid,
  source     text,
  primary key (buyer, at, offer, kind)
) partition by range (at);
create index on recommendations_interactions (at);

-- Deeds of months that have no partition of their own: the far past and the future.
create table recommendations_interactions_rest partition of recommendations_interactions default;

-- Names under which a buyer was known before it was clear who he is.
create table recommendations_names (
  name  text primary key,
  buyer text not null,
  at    timestamptz not null
);
create index on recommendations_names (buyer);
