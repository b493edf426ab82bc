-- An older integration event must not overwrite a value that was set here after it.

-- in live, test

-- When a member, an API call or an import last changed a field of an offer.
create table catalog_offer_set_times (
  offer_id int8 not null references catalog_offers on delete cascade,
  field    text not null check (field in ('price', 'quantity', 'sale')),
  at       timestamptz not null,
  primary key (offer_id, field)
);

-- Units that were added to a cart after an external order.
create index outbox_events_added on outbox_events (subject, occurred_at) where type = 'ItemAddedToCart';
