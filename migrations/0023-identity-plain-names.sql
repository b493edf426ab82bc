-- The id of an application is called application_id; audit entries list events; tokens keep replies.

-- in live, test

alter table identity_grants rename column client_id to application_id;
alter table identity_tokens rename column client_id to application_id;
alter table identity_tokens rename column answer to reply;
alter table identity_tokens rename column answered_at to replied_at;
alter table identity_tokens rename column asked_again_at to requested_again_at;
alter table identity_consents rename column client_id to application_id;
alter table identity_key_usage rename column client_id to application_id;
alter table identity_audit rename column facts to events;

alter table identity_audit drop constraint identity_audit_actor_kind_check;
update identity_audit set actor_kind = case actor_kind when 'machine' then 'command_line' else 'anonymous' end
  where actor_kind in ('machine', 'nobody');
alter table identity_audit add constraint identity_audit_actor_kind_check
  check (actor_kind in ('member', 'application', 'client', 'command_line', 'anonymous'));
