#!/usr/bin/perl
# A detector without a library, to show how little a program needs: it finds the one region that
# holds all red pixels. `snellen run perl.yaml` tests it; the images come as binary PPM.
use strict;
use warnings;
$| = 1;    # every line is sent at once

print qq({"snellen": 1, "name": "tomato.pl", "classes": ["tomato"]}\n);
while (my $question = <STDIN>) {
    my ($path) = $question =~ /"image": "([^"]+)"/;
    open(my $file, '<:raw', $path) or die "$path: $!";
    local $/;
    my ($width, $height, $pixels) = <$file> =~ /^P6\s+(\d+)\s+(\d+)\s+255\s(.*)/s;
    $/ = "\n";
    my ($left, $top, $right, $bottom) = ($width, $height, 0, 0);
    my @bytes = unpack('C*', $pixels);
    for my $i (0 .. $width * $height - 1) {
        my ($red, $green, $blue) = @bytes[3 * $i .. 3 * $i + 2];
        next unless $red > 150 && $green < 80 && $blue < 80;
        my ($x, $y) = ($i % $width, int($i / $width));
        $left   = $x     if $x < $left;
        $right  = $x + 1 if $x + 1 > $right;
        $top    = $y     if $y < $top;
        $bottom = $y + 1 if $y + 1 > $bottom;
    }
    if ($right > $left) {
        print qq({"boxes": [[$left, $top, $right, $bottom]], "labels": [0], "scores": [0.9]}\n);
    }
    else {
        print qq({"boxes": [], "labels": [], "scores": []}\n);
    }
}
