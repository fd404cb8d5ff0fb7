# Verifies the DKIM signatures of mails by Debian's Mail::DKIM, and prints a verdict a line. The DNS
# holds one record and no other: the zone line in the first argument. The others are files of mails.
use strict;
use warnings;
use Mail::DKIM::Verifier;
use Net::DNS::RR;

my $record = Net::DNS::RR->new(shift @ARGV);
{
    no warnings 'redefine';
    *Mail::DKIM::DNS::query = sub {
        my ($name, $type) = @_;
        return $name eq $record->name && $type eq 'TXT' ? ($record) : ();
    };
}
for my $file (@ARGV) {
    open my $mail, '<:raw', $file or die "$file: $!";
    my $verifier = Mail::DKIM::Verifier->new();
    $verifier->PRINT($_) while <$mail>;
    $verifier->CLOSE;
    print $verifier->result_detail, "\n";
}
