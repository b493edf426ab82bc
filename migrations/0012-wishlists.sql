-- What buyers want to remember, and carts that several people fill.

-- in live, test

-- One wishlist a buyer; its row is the lock under which every call of that buyer works. As with carts, no instant is
-- indexed, and clean-up walks along the ids, which grow with time.
create table cart_wishlists (
  id         uuid primary key,
  client_id  int8,
  session_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint cart_wishlists_client unique (client_id),
  constraint cart_wishlists_session unique (session_id),
  constraint cart_wishlists_buyer check ((client_id is null) <> (session_id is null))
) with (fillfactor = 80);

create table cart_wishes (
  wishlist_id        uuid not null references cart_wishlists on delete cascade,
  is_moderated       bool not null,
  offer_id           int8 not null,
  price_at_add_tiyin int8 not null,
  was_available      bool not null,
  added_at           timestamptz not null,
  primary key (wishlist_id, is_moderated, offer_id)
);

-- Its row is the lock under which everybody who shares it works. The token that opens it is kept as a hash alone.
create table cart_shared_carts (
  id         uuid primary key,
  title      text,
  token_hash bytea not null,
  version    int8 not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at  timestamptz,
  taken_by   int4
) with (fillfactor = 80);
create index on cart_shared_carts (expires_at);

-- Whose it is. The creator has place 0; others follow as they are named or join. One who was only named has not joined.
create table cart_shared_members (
  shared_cart_id uuid not null references cart_shared_carts on delete cascade,
  place          int4 not null,
  client_id      int8,
  session_id     text,
  joined_at      timestamptz,
  primary key (shared_cart_id, place),
  constraint cart_shared_members_client unique (client_id, shared_cart_id),
  constraint cart_shared_members_session unique (session_id, shared_cart_id),
  constraint cart_shared_members_buyer check ((client_id is null) <> (session_id is null))
);

-- Each member has lines of his own, so that nobody's work stands in the way of another's.
create table cart_shared_items (
  shared_cart_id     uuid not null,
  is_moderated       bool not null,
  offer_id           int8 not null,
  place              int4 not null,
  quantity           int4 not null check (quantity between 1 and 9999),
  price_at_add_tiyin int8 not null,
  added_at           timestamptz not null,
  updated_at         timestamptz not null,
  primary key (shared_cart_id, is_moderated, offer_id, place),
  foreign key (shared_cart_id, place) references cart_shared_members on delete cascade
) with (fillfactor = 80);
