-- Every unit that came or went, with its cause. The sum of an offer's changes is what is on hand.

-- in live, test

create table catalog_stock_movements (
  id            int8 generated always as identity primary key,
  offer_kind    text not null check (offer_kind in ('offer', 'moderated')),
  offer_id      int8 not null,
  change        int4 not null check (change <> 0),
  on_hand       int4 not null check (on_hand >= 0),
  cause         text not null check (cause in ('stocked', 'adjusted', 'ordered', 'cancelled', 'returned', 'removed')),
  reference     text,
  at            timestamptz not null
);
create index on catalog_stock_movements (offer_kind, offer_id, id);

insert into catalog_stock_movements (offer_kind, offer_id, change, on_hand, cause, at)
select 'offer', id, quantity, quantity, 'stocked', updated_at from catalog_offers where quantity > 0;
insert into catalog_stock_movements (offer_kind, offer_id, change, on_hand, cause, at)
select 'moderated', id, quantity, quantity, 'stocked', updated_at from catalog_moderated_offers where quantity > 0;
