-- The application that opened a cart: keys of web and mobile applications reach a guest's cart by its id only there.

-- in live, test

alter table cart_carts add column application_id text;
