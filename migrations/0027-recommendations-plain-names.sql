-- Plain names for tables, columns and values of recommendations and of the demo.

-- in live, test

alter table recommendations_interactions rename column spelled to original_buyer;
alter table recommendations_interactions drop constraint recommendations_interactions_via_check;
update recommendations_interactions set via = 'reported' where via = 'said';
alter table recommendations_interactions
  add constraint recommendations_interactions_via_check check (via in ('reported', 'click', 'shown'));
alter table recommendations_interactions_rest rename to recommendations_interactions_default;

alter table recommendations_names rename to recommendations_aliases;
alter table recommendations_aliases rename column name to alias;
alter table recommendations_aliases rename column spelled to original;
alter table recommendations_aliases drop constraint recommendations_names_kind_check;
update recommendations_aliases set kind = 'external' where kind = 'outside';
alter table recommendations_aliases
  add constraint recommendations_aliases_kind_check check (kind in ('session', 'external'));

-- One letter per offer: c candidate, e exploration, f filler.
alter table recommendations_lists rename column ways to origins;
update recommendations_lists set origins = replace(origins, 't', 'e') where origins like '%t%';
alter table recommendations_lists rename column asked to request;
alter table recommendations_lists rename column took_ms to duration_ms;
alter table recommendations_lists rename column stands_for to sample_weight;
alter table recommendations_lists_rest rename to recommendations_lists_default;

alter table recommendations_days rename to recommendations_daily_metrics;
alter table recommendations_daily_metrics rename column figures to metrics;

alter table recommendations_models rename column made_at to created_at;
alter table recommendations_models rename column learnt_until to trained_until;
alter table recommendations_models rename column outside to external;
update recommendations_models set external = external - 'learntUntil' || jsonb_build_object('trainedUntil', external -> 'learntUntil')
  where external is not null;

alter table recommendations_model_pieces rename to recommendations_model_chunks;
alter table recommendations_model_chunks rename column place to position;

alter table recommendations_trainings drop constraint recommendations_trainings_outcome_check;
update recommendations_trainings set outcome = 'rejected' where outcome = 'kept';
update recommendations_trainings set outcome = 'skipped' where outcome = 'nothing';
alter table recommendations_trainings
  add constraint recommendations_trainings_outcome_check check (outcome in ('running', 'activated', 'rejected', 'skipped', 'failed'));

alter table demo_lives rename to demo_histories;

update job_leases set name = renamed.name from (values
  ('keep-behaviour', 'maintain-interactions'), ('count-recommendations', 'recommendation-metrics')
) as renamed (old, name) where job_leases.name = renamed.old;
update job_runs set name = renamed.name from (values
  ('keep-behaviour', 'maintain-interactions'), ('count-recommendations', 'recommendation-metrics')
) as renamed (old, name) where job_runs.name = renamed.old;
