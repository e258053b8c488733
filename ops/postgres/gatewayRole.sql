-- The image of PostgreSQL runs it once, as its superuser, for a new volume: the gateway owns its database, and has no other right.
\getenv password GATEWAY_DATABASE_PASSWORD
create role switchboard login nosuperuser nocreatedb nocreaterole password :'password';
create database switchboard owner switchboard encoding 'UTF8' template template0;
revoke connect on database switchboard from public;
