-- The id of an application is called application_id; a client is a registered buyer.

-- in platform

alter table identity_applications rename column client_id to application_id;
alter table identity_keys rename column client_id to application_id;
alter table identity_client_secrets rename column client_id to application_id;
