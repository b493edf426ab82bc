-- Plain names for tables, columns, jobs and reactions of marketing and webhooks.

-- in live, test

alter table marketing_campaigns rename column cue to trigger;
alter table marketing_campaigns rename column marked_at to scanned_until;
update marketing_campaigns set trigger = replace(trigger::text, '\"wish_', '\"wishlist_')::json,
  audience = replace(audience::text, '\"wish_', '\"wishlist_')::json;

alter table marketing_campaign_looks rename to marketing_campaign_scans;
alter table marketing_campaign_scans
  rename constraint marketing_campaign_looks_occasion to marketing_campaign_scans_occasion;

alter table marketing_notifications rename column forgiven to attempts_at_requeue;
update marketing_notifications set reason = 'too_many_attempts' where reason = 'too_many_tries';

alter index webhooks_deliveries_line rename to webhooks_deliveries_queue;

update job_leases set name = renamed.name from (values
  ('forget-deliveries', 'purge-webhook-deliveries'),
  ('forget-notifications', 'purge-notifications'),
  ('forget-campaign-targets', 'purge-campaign-targets')
) as renamed (old, name) where job_leases.name = renamed.old;
update job_runs set name = renamed.name from (values
  ('forget-deliveries', 'purge-webhook-deliveries'),
  ('forget-notifications', 'purge-notifications'),
  ('forget-campaign-targets', 'purge-campaign-targets')
) as renamed (old, name) where job_runs.name = renamed.old;

-- Under its old name an event counts as handled, so the names of handled and failed ones change too.
update outbox_inbox set reaction = renamed.name from (values
  ('webhooks.try-now', 'webhooks.make-due'),
  ('marketing.send-now', 'marketing.make-due'),
  ('marketing.tell-order-placed', 'marketing.notify-order-placed'),
  ('marketing.tell-order-shipped', 'marketing.notify-order-shipped'),
  ('marketing.await-after-delivery', 'marketing.schedule-after-delivery'),
  ('marketing.tell-promotion', 'marketing.scan-for-promotion'),
  ('marketing.count-echoes', 'marketing.count-messages'),
  ('marketing.note-activity', 'marketing.record-activity')
) as renamed (old, name) where reaction = renamed.old;
update outbox_failures set reaction = renamed.name from (values
  ('webhooks.try-now', 'webhooks.make-due'),
  ('marketing.send-now', 'marketing.make-due'),
  ('marketing.tell-order-placed', 'marketing.notify-order-placed'),
  ('marketing.tell-order-shipped', 'marketing.notify-order-shipped'),
  ('marketing.await-after-delivery', 'marketing.schedule-after-delivery'),
  ('marketing.tell-promotion', 'marketing.scan-for-promotion'),
  ('marketing.count-echoes', 'marketing.count-messages'),
  ('marketing.note-activity', 'marketing.record-activity')
) as renamed (old, name) where reaction = renamed.old;
