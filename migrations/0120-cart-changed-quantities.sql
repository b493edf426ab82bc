-- Units by which the quantity of a line was raised after an external order; beside `outbox_events_added`.

-- in live, test

create index outbox_events_changed on outbox_events (subject, occurred_at) where type = 'CartItemChanged';
