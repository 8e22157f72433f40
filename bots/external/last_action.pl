#!/usr/bin/env perl
# A bot for any game in Perl: it keeps nothing between decisions and always answers the last legal action.
# Run it in a league as `cmd:perl last_action.pl`.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # flush after every line, for the league waits for it
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    if ($message->{type} eq 'hello') {
        print encode_json({ type => 'ready', name => 'last-action' }), "\n";
    }
    elsif ($message->{type} eq 'choose') {
        print encode_json({ type => 'action', match => $message->{match}, action => $message->{legal}[-1] }), "\n";
    }
    elsif ($message->{type} eq 'bye') {
        last;
    }
}
