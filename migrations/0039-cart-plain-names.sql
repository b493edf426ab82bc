-- Tables get plain names. The creator of a shared cart can read the join token again: it is stored encrypted.

-- in live, test

alter table cart_wishes rename to cart_wishlist_items;
alter table cart_last_words rename to cart_latest_events;
alter table cart_shared_carts add column token_sealed bytea;
