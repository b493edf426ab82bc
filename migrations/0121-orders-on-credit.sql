-- What clients owed at past instants is read from orders on credit: by client with their first day, and by id. The ids are
-- those of `installment` and `daily_payment`; statements use the indexes only if their text has the same condition.

-- in live, test

create index orders_orders_credit_clients on orders_orders (client_id, created_at) where payment_method_id in (2, 4);
create index orders_orders_credit on orders_orders (id) where payment_method_id in (2, 4);
