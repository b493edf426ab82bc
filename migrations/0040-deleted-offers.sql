-- What is still shown of deleted offers, in carts and wishlists that hold them.

-- in live, test

create table catalog_deleted_offers (
  is_moderated bool not null,
  offer_id     int8 not null,
  details      jsonb not null,
  deleted_at   timestamptz not null,
  primary key (is_moderated, offer_id)
);
