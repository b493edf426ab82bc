-- What an order shows of its buyer, its partner and its products, as they were when it was placed.

-- in live, test

alter table orders_orders add column contact json;
alter table orders_orders add column partner_name text;
alter table orders_lines add column image json;
