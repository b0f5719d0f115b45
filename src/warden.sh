# Reads lines from a pipe that ends when the program that started this does, however it does: `+ GROUP` and `- GROUP` for a
# group of processes that begins and ends, `f FOLDER` and `r FOLDER` for a temporary folder that is made and removed. What
# is left at the end of the pipe goes, and with the groups the processes that left them and have $1 in their environment.
trap '' INT TERM HUP
groups=' '
line='
'
folders=$line
while read -r what which; do
    case $what in
    +) groups="$groups$which " ;;
    -) case $groups in *" $which "*) groups="${groups%% "$which" *} ${groups#* "$which" }" ;; esac ;;
    f) folders="$folders$which$line" ;;
    r) case $folders in *"$line$which$line"*)
        folders="${folders%%"$line$which$line"*}$line${folders#*"$line$which$line"}" ;;
    esac ;;
    esac
done
if [ "$groups" != ' ' ]; then
    for group in $groups; do kill -KILL "-$group"; done
    for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -KILL "${pid%/environ}"
    done
fi
IFS=$line
set -f
# What was killed may write for a moment.
for folder in $folders; do rm -rf -- "$folder" || { sleep 1 && rm -rf -- "$folder"; }; done
