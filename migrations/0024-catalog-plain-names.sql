-- Plain names for the catalog's tables and columns.

-- in live, test

-- One row. Its version changes with everything that promotions compute prices from; a sale compares it with the version
-- of the schedule that the process has cached.
alter table catalog_promotion_book rename to catalog_promotion_schedule;
alter table catalog_promotion_schedule rename column page to version;
alter table catalog_promotions rename column told_stage to published_stage;
