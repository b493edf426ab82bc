-- A buyer may open a result before the search itself is saved: searches are saved once a second. So an interaction may
-- name a query that is not there yet. A job deletes those whose query never came.

-- in live, test

alter table catalog_search_interactions drop constraint catalog_search_interactions_search_id_fkey;
