//! Random libraries, changed in random ways, against the definition written down naively.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};

use super::store::hash;
use super::*;

#[derive(Clone)]
struct Face {
    key: FaceKey,
    photo: PhotoKey,
    vector: Vector,
    shapes: bool,
}

#[derive(Clone, Default)]
struct World {
    faces: BTreeMap<FaceKey, Face>,
    together: BTreeSet<(FaceKey, FaceKey)>,
    apart: BTreeSet<(FaceKey, FaceKey)>,
}

/// As many seeds as asked for; by default always the same, so that what fails here fails again.
fn seeds() -> Vec<u64> {
    match std::env::var("FERROTYPE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..60).collect(),
    }
}

/// Faces of persons of families: alike enough that much is in doubt.
fn faces(random: &mut StdRng) -> Vec<Face> {
    let families: Vec<_> = (0..2).map(|_| direction(random)).collect();
    let mut persons = Vec::new();
    for family in &families {
        for _ in 0..4 {
            persons.push(blend(family, &direction(random), 0.9));
        }
    }
    (0..random.random_range(20..90))
        .map(|number| {
            let person = &persons[random.random_range(0..persons.len())];
            let far = random.random_range(0.2..1.1);
            let numbers = blend(person, &direction(random), far);
            Face {
                key: FaceKey((random.next_u64() as u128) << 64 | number as u128),
                photo: PhotoKey(random.random_range(0..40)),
                vector: Vector::quantised(&numbers).expect("a direction"),
                shapes: random.random_bool(0.8),
            }
        })
        .collect()
}

fn direction(random: &mut StdRng) -> [f32; Vector::LENGTH] {
    let mut numbers = [0.0; Vector::LENGTH];
    for number in &mut numbers {
        *number = (0..8).map(|_| random.random_range(-1.0..1.0_f32)).sum();
    }
    let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
    numbers.map(|x| x / length)
}

fn blend(a: &[f32; 128], b: &[f32; 128], part: f32) -> [f32; 128] {
    let mut numbers = *a;
    numbers.iter_mut().zip(b).for_each(|(x, y)| *x += part * y);
    let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
    numbers.map(|x| x / length)
}

impl World {
    fn library(&self) -> Library {
        let mut library = Library::new();
        for face in self.faces.values() {
            library.add(face.key, face.photo, face.vector, face.shapes);
        }
        for (one, other) in &self.together {
            library.together(*one, *other);
        }
        for (one, other) in &self.apart {
            library.apart(*one, *other);
        }
        library.regroup();
        library
    }

    /// As after a restart: with the links that were known.
    fn restored(&self, known: &Library) -> Library {
        let mut library = Library::new();
        for face in self.faces.values() {
            let links = known.links_of(face.key);
            library.restore(face.key, face.photo, face.vector, face.shapes, &links);
        }
        self.together.iter().for_each(|(one, other)| library.together(*one, *other));
        self.apart.iter().for_each(|(one, other)| library.apart(*one, *other));
        library.regroup();
        library
    }

    /// The definition, as it would be told.
    fn by_definition(&self) -> Vec<Group> {
        let faces: Vec<&Face> = self.faces.values().collect();
        let picks: Vec<Vec<usize>> =
            (0..faces.len()).map(|place| self.picks(&faces, place)).collect();
        let mut links = Vec::new();
        for (one, other) in &self.together {
            let place = |key: &FaceKey| faces.iter().position(|face| face.key == *key);
            if let (Some(one), Some(other)) = (place(one), place(other)) {
                links.push((0, Reverse(0), one.min(other), one.max(other)));
            }
        }
        for one in 0..faces.len() {
            for other in one + 1..faces.len() {
                if picks[one].contains(&other) || picks[other].contains(&one) {
                    let kind = if faces[one].shapes && faces[other].shapes { 1 } else { 2 };
                    let similarity = faces[one].vector.similarity(&faces[other].vector).0;
                    links.push((kind, Reverse(similarity), one, other));
                }
            }
        }
        // Faces are in the order of their keys, so places break ties as keys do.
        links.sort();
        let mut group: Vec<usize> = (0..faces.len()).collect();
        let mut look: Vec<usize> = (0..faces.len()).collect();
        for (kind, _, one, other) in links {
            if kind == 1
                && (look[one] == look[other] || self.mean(&faces, &look, one, other) < LEAST_MEAN.0)
            {
                continue;
            }
            if kind == 2 {
                let follower = if faces[one].shapes { other } else { one };
                if group.iter().filter(|g| **g == group[follower]).count() > 1 {
                    continue;
                }
            }
            if group[one] != group[other] {
                if self.conflict(&faces, &group, one, other) {
                    continue;
                }
                let (from, to) = (group[other], group[one]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
            if kind == 1 {
                let (from, to) = (look[other], look[one]);
                look.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
            }
        }
        let mut groups: BTreeMap<usize, Vec<FaceKey>> = BTreeMap::new();
        for (place, group) in group.iter().enumerate() {
            groups.entry(*group).or_default().push(faces[place].key);
        }
        let mut groups: Vec<Group> = groups.into_values().map(|faces| Group { faces }).collect();
        groups.sort();
        groups
    }

    fn picks(&self, faces: &[&Face], place: usize) -> Vec<usize> {
        let own = faces[place];
        let mut near: Vec<usize> = (0..faces.len())
            .filter(|other| {
                let face = faces[*other];
                *other != place
                    && face.shapes
                    && face.photo != own.photo
                    && own.vector.similarity(&face.vector) >= LEAST_LINK
            })
            .collect();
        near.sort_by_key(|other| (Reverse(own.vector.similarity(&faces[*other].vector)), *other));
        let mut picks: Vec<usize> = near.iter().copied().take(3).collect();
        if own.shapes {
            near.sort_by_key(|other| {
                let (a, b) = (own.key.0, faces[*other].key.0);
                hash(a.min(b).rotate_left(1) ^ a.max(b))
            });
            picks.extend(near.iter().take(3));
        }
        picks
    }

    fn mean(&self, faces: &[&Face], look: &[usize], one: usize, other: usize) -> i32 {
        let of = |l: usize| (0..faces.len()).filter(move |place| look[*place] == l);
        let mut sum = 0_i64;
        let mut count = 0_i64;
        for a in of(look[one]) {
            for b in of(look[other]) {
                sum += i64::from(faces[a].vector.similarity(&faces[b].vector).0);
                count += 1;
            }
        }
        sum.div_euclid(count) as i32
    }

    fn conflict(&self, faces: &[&Face], group: &[usize], one: usize, other: usize) -> bool {
        let of = |g: usize| (0..faces.len()).filter(move |place| group[*place] == g);
        of(group[one]).any(|a| {
            of(group[other]).any(|b| {
                let (x, y) = (faces[a], faces[b]);
                x.photo == y.photo || self.apart.contains(&pair(x.key, y.key))
            })
        })
    }
}

fn all(library: &Library) -> Vec<Group> {
    library.groups().collect()
}

fn pair(one: FaceKey, other: FaceKey) -> (FaceKey, FaceKey) {
    (one.min(other), one.max(other))
}

#[test]
fn groups_are_a_function_of_faces_and_decisions() {
    for seed in seeds() {
        println!("FERROTYPE_SEED={seed}");
        let random = &mut StdRng::seed_from_u64(seed);
        let mut pool = faces(random);
        pool.shuffle(random);
        let (mut world, mut library) = (World::default(), Library::new());
        for _ in 0..pool.len() * 3 {
            change(random, &pool, &mut world, &mut library);
            if random.random_bool(0.3) {
                library.regroup();
                assert_eq!(all(&library), world.by_definition(), "seed {seed}");
            }
        }
        library.regroup();
        assert_eq!(all(&library), world.by_definition(), "seed {seed}");
        assert_eq!(all(&library), all(&world.library()), "seed {seed}: all at once");
        for group in library.groups() {
            for face in &group.faces {
                assert_eq!(library.group_of(*face).as_ref(), Some(&group), "seed {seed}");
            }
        }
        let mut restored = world.restored(&library);
        assert_eq!(all(&restored), all(&library), "seed {seed}: restored");
        for _ in 0..10 {
            change(random, &pool, &mut world, &mut restored);
        }
        restored.regroup();
        assert_eq!(all(&restored), world.by_definition(), "seed {seed}: restored, then changed");
    }
}

fn change(random: &mut StdRng, pool: &[Face], world: &mut World, library: &mut Library) {
    let face = &pool[random.random_range(0..pool.len())];
    let other = &pool[random.random_range(0..pool.len())];
    let both = pair(face.key, other.key);
    match random.random_range(0..100) {
        0..65 => {
            world.faces.insert(face.key, face.clone());
            library.add(face.key, face.photo, face.vector, face.shapes);
        }
        65..85 => {
            let was = world.faces.remove(&face.key).is_some();
            assert_eq!(library.remove(face.key), was);
        }
        85..89 if face.key != other.key => {
            world.together.insert(both);
            library.together(other.key, face.key);
        }
        89..95 if face.key != other.key => {
            world.apart.insert(both);
            library.apart(face.key, other.key);
        }
        95..98 => {
            assert_eq!(library.take_back_together(both.0, both.1), world.together.remove(&both));
        }
        _ => {
            if let Some(both) = world.apart.pop_first() {
                assert!(library.take_back_apart(both.1, both.0));
            }
        }
    }
}

#[test]
fn much_in_these_libraries_is_in_doubt() {
    let (mut grouped, mut groups, mut refused) = (0, 0, 0);
    for seed in seeds() {
        let random = &mut StdRng::seed_from_u64(seed);
        let world = World {
            faces: faces(random).into_iter().map(|face| (face.key, face)).collect(),
            ..World::default()
        };
        let library = world.library();
        let all = all(&library);
        grouped += all.iter().filter(|group| group.faces.len() > 1).count();
        groups += all.len();
        let of = |slot: Slot| library.group_of(library.store.key(slot));
        refused += library
            .store
            .all()
            .filter(|slot| library.links.of(*slot).any(|end| of(end) != of(*slot)))
            .count();
    }
    assert!(grouped * 10 > groups, "{grouped} of {groups} groups have several faces");
    assert!(refused > 50, "{refused} faces have links that were refused");
}

#[test]
fn two_faces_of_one_photo_are_never_one_person() {
    let random = &mut StdRng::seed_from_u64(7);
    let face = direction(random);
    let vector = Vector::quantised(&face).expect("a direction");
    let mut library = Library::new();
    library.add(FaceKey(1), PhotoKey(1), vector, true);
    library.add(FaceKey(2), PhotoKey(1), vector, true);
    library.together(FaceKey(1), FaceKey(2));
    library.add(FaceKey(3), PhotoKey(2), vector, true);
    library.regroup();
    assert_ne!(library.group_of(FaceKey(1)), library.group_of(FaceKey(2)));
    assert_eq!(library.groups().count(), 2, "the third goes with one of them");
}

#[test]
fn a_decision_counts_more_than_looks_and_is_taken_back() {
    let random = &mut StdRng::seed_from_u64(8);
    let mut library = Library::new();
    for key in 1..=2 {
        let vector = Vector::quantised(&direction(random)).expect("a direction");
        library.add(FaceKey(key), PhotoKey(key), vector, true);
    }
    library.regroup();
    assert_eq!(library.groups().count(), 2);
    library.together(FaceKey(1), FaceKey(2));
    library.regroup();
    assert_eq!(all(&library), [Group { faces: vec![FaceKey(1), FaceKey(2)] }]);
    library.apart(FaceKey(2), FaceKey(1));
    library.regroup();
    assert_eq!(library.groups().count(), 2, "apart counts more than together");
    assert!(library.take_back_apart(FaceKey(1), FaceKey(2)));
    library.regroup();
    assert_eq!(library.groups().count(), 1);
    assert!(library.take_back_together(FaceKey(1), FaceKey(2)));
    library.regroup();
    assert_eq!(library.groups().count(), 2);
}

#[test]
fn a_person_of_two_looks_takes_new_faces_of_both() {
    let random = &mut StdRng::seed_from_u64(9);
    let (child, adult) = (direction(random), direction(random));
    let face = |random: &mut StdRng, look: &[f32; 128]| {
        Vector::quantised(&blend(look, &direction(random), 0.5)).expect("a direction")
    };
    let mut library = Library::new();
    for key in 0..20 {
        let look = if key < 10 { &child } else { &adult };
        library.add(FaceKey(key), PhotoKey(key), face(random, look), true);
    }
    library.regroup();
    assert_eq!(library.groups().count(), 2);
    library.together(FaceKey(0), FaceKey(10));
    library.regroup();
    library.add(FaceKey(20), PhotoKey(20), face(random, &child), true);
    library.add(FaceKey(21), PhotoKey(21), face(random, &adult), true);
    library.regroup();
    assert_eq!(library.groups().count(), 1);
}

#[test]
fn bursts_of_one_person_are_one_group() {
    let random = &mut StdRng::seed_from_u64(10);
    let person = direction(random);
    let mut library = Library::new();
    for burst in 0..10 {
        let session = blend(&person, &direction(random), 0.8);
        for shot in 0..20 {
            let key = burst * 100 + shot;
            let vector = Vector::quantised(&blend(&session, &direction(random), 0.15));
            library.add(FaceKey(key), PhotoKey(key), vector.expect("a direction"), true);
        }
    }
    library.regroup();
    assert_eq!(library.groups().count(), 1);
}

#[test]
fn a_face_that_does_not_shape_holds_nobody_together() {
    let random = &mut StdRng::seed_from_u64(11);
    let (a, b) = (direction(random), direction(random));
    let between = blend(&a, &b, 1.0);
    let mut library = Library::new();
    let vector = |numbers: &[f32; 128]| Vector::quantised(numbers).expect("a direction");
    library.add(FaceKey(1), PhotoKey(1), vector(&a), true);
    library.add(FaceKey(2), PhotoKey(2), vector(&b), true);
    library.add(FaceKey(3), PhotoKey(3), vector(&between), false);
    library.regroup();
    assert_eq!(library.groups().count(), 2, "it goes with one");
    library.add(FaceKey(3), PhotoKey(3), vector(&between), true);
    library.regroup();
    assert_eq!(
        library.groups().count(),
        2,
        "a mean of .35 between the others and it is too little"
    );
}

#[test]
fn suggestions_leave_out_who_cannot_be_the_same() {
    let random = &mut StdRng::seed_from_u64(12);
    let person = direction(random);
    let vector = |random: &mut StdRng| {
        Vector::quantised(&blend(&person, &direction(random), 1.2)).expect("a direction")
    };
    let mut library = Library::new();
    for key in 1..=4 {
        // The first two are in one photo.
        let photo = if key == 2 { 1 } else { key };
        library.add(FaceKey(key), PhotoKey(photo), vector(random), true);
    }
    for (one, other) in [(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)] {
        library.apart(FaceKey(one), FaceKey(other));
    }
    library.regroup();
    assert!(library.resembling(FaceKey(1), 9).is_empty());
    library.take_back_apart(FaceKey(1), FaceKey(3));
    let near = library.resembling(FaceKey(1), 9);
    let suggested: Vec<_> = near.iter().flat_map(|near| near.group.faces.clone()).collect();
    assert!(
        suggested == [FaceKey(3)] || library.group_of(FaceKey(1)) == library.group_of(FaceKey(3))
    );
    let nearest = library.nearest(&Vector::quantised(&person).expect("a direction"), 2);
    assert_eq!(nearest.len(), 2);
    assert!(nearest[0].similarity >= nearest[1].similarity);
}
